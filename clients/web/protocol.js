// Writes the protocol's TypeScript types out of docs/schema: node web/protocol.js [FOLDER]
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const HERE = dirname(fileURLToPath(import.meta.url));
const SCHEMAS = join(HERE, "../../docs/schema");
const RECEIVED = ["answering", "viewing"];
const SENT = ["asking", "auth", "publishing"];

const folder = process.argv[2] ?? join(HERE, "src/protocol");
await mkdir(folder, { recursive: true });
for (const name of [...RECEIVED, ...SENT]) {
  const schema = JSON.parse(await readFile(join(SCHEMAS, `wire-${name}.json`), "utf8"));
  const objects = [schema, ...Object.values(schema.$defs ?? {})];
  for (const object of objects) prepare(object, RECEIVED.includes(name));
  const types = await compile(schema, capital(name), {
    additionalProperties: false,
    bannerComment: `// Written by "npm run types" from docs/schema/wire-${name}.json.`,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 100 },
  });
  await writeFile(join(folder, `${name}.ts`), types);
}

// No type alias for each field; what is always there is not optional: the type of a message, and
// in what the server sends also every field whose default isn't null, which it never leaves out.
function prepare(object, received) {
  for (const [name, field] of Object.entries(object.properties ?? {})) {
    delete field.title;
    const given = name === "type" || (received && field.default != null);
    if (given && !object.required?.includes(name))
      object.required = [...(object.required ?? []), name];
  }
}

function capital(name) {
  return name[0].toUpperCase() + name.slice(1);
}
