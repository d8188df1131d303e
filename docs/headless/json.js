// Makes data of sentences with a model file that has a chat template, such as SmolLM2-Instruct (`make setup-models`): its answer
// fits a JSON schema, whatever the model would rather write. Reads a line for each sentence from a file or from standard input,
// writes JSON Lines: sentence, value, ended ('schema', or 'max-new-tokens' where a value may be cut short)
//
//   echo "Anna is 34 and lives in Rome." | node docs/headless/json.js build/models/smollm2.gguf [--schema person.json] [SENTENCES]

import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { open } from 'glassformer';
import { session } from 'glassformer/chat';

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 20 },
    age: { type: 'integer', minimum: 0 },
    lives_in: { type: ['string', 'null'], maxLength: 20 },
  },
  required: ['name', 'age', 'lives_in'],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { schema: { type: 'string' }, max: { type: 'string', default: '60' } },
});
const [file, sentences] = positionals;
if (!file) throw new Error('expected a model file: node docs/headless/json.js smollm2.gguf');
const schema = values.schema ? JSON.parse(readFileSync(values.schema, 'utf8')) : PERSON;

const { model } = await open(file, { stored: true });
const input = sentences ? createReadStream(sentences) : process.stdin;
for await (const sentence of createInterface({ input })) {
  const talk = session(model, {
    system: `Answer with JSON that says what the sentence says: ${Object.keys(schema.properties ?? {})}.`,
    maxNewTokens: Number(values.max),
    temperature: 0,
  });
  const { text, ended } = await talk.ask(sentence, { schema });
  console.log(JSON.stringify({ sentence, value: JSON.parse(text), ended }));
  talk.dispose();
}
model.dispose();
