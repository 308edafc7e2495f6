// What `strad-describe.js` gives to a page that has a player of its own.

export { COMMAND_NAMES, COMMANDS, exported, imported, readable } from "../../web/src/index.ts";
export { Description, describe, type Options } from "./describe.ts";
export { watchHls } from "./hls_watch.ts";
