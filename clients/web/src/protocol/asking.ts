// Written by "npm run types" from docs/schema/wire-asking.json.

export type Asking = Prefer | AskMissed | AskScene | Flag;
/**
 * What sort of thing is described, so that a listener can ask for less or more.
 */
export type Kind = "action" | "scene" | "text" | "name";
/**
 * Which length of a description a viewer wants. Whichever it gets fits the AD's time.
 */
export type FormChoice = "placed" | "short" | "long";
/**
 * What a viewer can be told beside what is said. It is not kept: none comes again.
 */
export type Extra = "transcript" | "gaps";
/**
 * What the viewer found.
 */
export type FlagKind = "wrong" | "late" | "other";

/**
 * From now on tell me this, in place of what I wished before. Answered by ``preferred``.
 */
export interface Prefer {
  kinds?: Kind[] | null;
  form?: FormChoice;
  /**
   * @maxItems 2
   */
  extras?: Extra[];
  type: "prefer";
  id?: string | null;
}
/**
 * What was said while I was away? Answered by ``missed``.
 */
export interface AskMissed {
  type: "missed";
  id?: string | null;
  after?: number | null;
  since?: number | null;
  until?: number | null;
  most?: number;
}
/**
 * Who and what is on screen? Answered by ``scene``.
 */
export interface AskScene {
  type: "scene";
  id?: string | null;
  at?: number | null;
}
/**
 * A description is wrong, or came too late. Answered by ``flagged``.
 */
export interface Flag {
  kind: FlagKind;
  note?: string;
  by?: string | null;
  type: "flag";
  id?: string | null;
  event: string;
}
