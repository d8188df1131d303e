// Subjects of commits: at most 72 characters, the area first, as in 'cli mark: name the file in every error'. Prints those that are
// otherwise, and exits 1 if there is one. Says nothing where there is no history, as in an archive of the sources.
import { spawnSync } from 'node:child_process';

/** Earlier subjects are longer. */
const SINCE = '2026-11-27T07:30:00Z';
const MAX_LENGTH = 72;

const { stdout } = spawnSync('git', ['log', '--no-merges', `--since=${SINCE}`, '--format=%h %s'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
});
const commits = (stdout ?? '').split('\n').filter(Boolean);
const wrong = commits.filter((line) => {
  const subject = line.slice(line.indexOf(' ') + 1);
  return subject.length > MAX_LENGTH || !/^[\w.,/ -]+: \S/.test(subject);
});
for (const line of wrong) console.error(line);
console.log(
  `${commits.length} commits, ${wrong.length} subjects that are too long or without an area`,
);
process.exitCode = wrong.length ? 1 : 0;
