// Builds what is shipped: node web/build.js [FOLDER]. The same sources give the same bytes.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const CLIENTS = join(dirname(fileURLToPath(import.meta.url)), "..");
const PLAYER = join(CLIENTS, "player/src");
const HLS = join(CLIENTS, "node_modules/hls.js");
const folder = process.argv[2] ?? join(CLIENTS, "player/dist");

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  entryPoints: {
    player: join(PLAYER, "page.ts"),
    "strad-describe": join(PLAYER, "embed.ts"),
  },
  outdir: folder,
  absWorkingDir: CLIENTS,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  banner: { js: "// Strad, Apache-2.0. Built from clients/player and clients/web: make clients" },
  alias: { "hls.js": "./hls.js" },
  external: ["./hls.js"],
  logLevel: "warning",
});
for (const name of ["index.html", "player.css", "icon.svg"])
  await copyFile(join(PLAYER, name), join(folder, name));
const { version } = JSON.parse(await readFile(join(HLS, "package.json"), "utf8"));
const hls = await readFile(join(HLS, "dist/hls.min.mjs"), "utf8");
const notice = `// hls.js ${version}, Apache-2.0: https://github.com/video-dev/hls.js\n`;
await writeFile(
  join(folder, "hls.js"),
  notice + hls.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"),
);
