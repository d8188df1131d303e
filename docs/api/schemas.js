// Writes the schema that editors and validators read, from the one that the package checks by:
// node docs/api/schemas.js [--check]

import { readFileSync, writeFileSync } from 'node:fs';
import { lessonSchema } from '../../bindings/learn/lessons/index.js';

const file = new URL('../schemas/lesson.schema.json', import.meta.url);
const text = JSON.stringify(lessonSchema);

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) !== text) {
  console.error('docs/schemas/lesson.schema.json is not up to date: make docs');
  process.exitCode = 1;
}
