/** The column with which supplyline writes why a row was not sent. */

/**
 * The name of the last column, or of the key, with the reason. Readers ignore it, so that a fixed
 * file can be checked again as it is.
 */
export const reasonColumn = "not_sent_because";
