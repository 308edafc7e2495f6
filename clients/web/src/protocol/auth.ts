// Written by "npm run types" from docs/schema/wire-auth.json.

/**
 * A key, a token or a ticket. Sent first, or again before the one in use expires.
 */
export interface Auth {
  type: "auth";
  id?: string | null;
  token: string;
}
