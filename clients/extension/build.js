// Builds the extension into a folder that Chromium loads: node extension/build.js FOLDER [--test]
//
// --test: the toolbar button starts and stops by itself, without its popup, so that a test can act
// on it as a user does, and a recorder stands for the voice: headless browsers have none.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const [folder, test] = process.argv.slice(2);
if (!folder) throw new Error("node extension/build.js FOLDER [--test]");

const options = {
  outdir: folder,
  bundle: true,
  target: "chrome124",
  legalComments: "none",
  minify: true,
  charset: "utf8",
  logLevel: "warning",
};
const entry = (name) => join(HERE, "src", `${name}.ts`);
const PAGES = ["worker", "offscreen", "popup", "options_page", "picture"];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({ ...options, format: "esm", entryPoints: PAGES.map(entry) });
await build({ ...options, format: "iife", entryPoints: [entry("content")] });
cpSync(join(HERE, "pages"), folder, { recursive: true });
cpSync(join(HERE, "icons"), folder, { recursive: true });
cpSync(join(HERE, "PERMISSIONS.md"), join(folder, "PERMISSIONS.md"));
cpSync(join(HERE, "../../LICENSE"), join(folder, "LICENSE"));
const manifest = JSON.parse(readFileSync(join(HERE, "manifest.json"), "utf8"));
if (test) {
  delete manifest.action.default_popup;
  cpSync(join(HERE, "test/shim.js"), join(folder, "shim.js"));
  const page = readFileSync(join(folder, "offscreen.html"), "utf8");
  const shim = '<script src="shim.js"></script>';
  writeFileSync(join(folder, "offscreen.html"), page.replace("<script", `${shim}\n<script`));
}
writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
