/** Which pieces an action names, and whether a hand holds them. */

/** @typedef {{type: string, [field: string]: any}} Action */

/**
 * The pieces that an action names, in its own order (fields `tiles`, `cards`, `tile`, `card`).
 * @param {Action} action
 * @returns {string[]}
 */
export function piecesOf(action) {
  const found = [...(action.tiles ?? []), ...(action.cards ?? [])];
  for (const field of ["tile", "card"]) if (action[field] != null) found.push(action[field]);
  return found;
}

/**
 * Whether the hand holds every piece of the action; a claim's `legal` is the public offer, of which
 * only these may be sent.
 * @param {Action} action
 * @param {string[]} hand
 */
export function canLay(action, hand) {
  const left = [...hand];
  return piecesOf(action).every((piece) => {
    const at = left.indexOf(piece);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}
