/** The Hanpan SDK: connect, take a seat, act. See README.md. */

export { connect, Client } from "./client.js";
export { Table } from "./table.js";
export { HanpanError } from "./errors.js";
export { Http } from "./http.js";
export { piecesOf, canLay } from "./pieces.js";
