/** What a player meant to do at the table that the address then leads to. The table's page does it after it
 * has begun to listen, so that nothing that happens meanwhile goes unheard. */

/** @typedef {{join?: boolean, invite?: string, ready?: boolean}} Intent */

/** @type {Map<string, Intent>} */
const intents = new Map();

/** Go to a table and do this there. @param {string} id @param {Intent} intent */
export function come(id, intent) {
  intents.set(id, intent);
  const hash = `#/table/${id}`;
  // The address may be the same already, e.g. for a second try.
  if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = hash;
}

/** What is to be done at this table, once. @param {string} id @returns {Intent} */
export function intentAt(id) {
  const intent = intents.get(id) ?? {};
  intents.delete(id);
  return intent;
}
