// SCORM 1.2 and 2004: one page that marks as this package does, with the core in it, and the manifest. The same page
// works in other platforms, and alone.

import { jsonValue } from '../../../js/base/file.js';
import { escaped, XML, XSI } from './html.js';
import { masked } from './masked.js';
import { inflated, NO_CORE } from './packed.js';
import { digest } from './zip.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */

const IMS = 'http://www.imsglobal.org/xsd';
const ADL = 'http://www.adlnet.org/xsd';

/** What the manifests of the versions differ in. */
const VERSIONS = {
  scorm12: {
    schema: 'http://www.imsproject.org/xsd/imscp_rootv1p1p2',
    adl: `${ADL}/adlcp_rootv1p2`,
    files: ['imscp_rootv1p1p2.xsd', 'adlcp_rootv1p2.xsd'],
    edition: '1.2',
    type: 'scormtype',
  },
  scorm2004: {
    schema: `${IMS}/imscp_v1p1`,
    adl: `${ADL}/adlcp_v1p3`,
    files: ['imscp_v1p1.xsd', 'adlcp_v1p3.xsd'],
    edition: '2004 3rd Edition',
    type: 'scormType',
  },
};

/** @param {keyof typeof VERSIONS} version @param {string} id @param {string} title */
function manifest(version, id, title) {
  const { schema, adl, files, edition, type } = VERSIONS[version];
  const [scheme, other] = files;
  return [
    XML,
    `<manifest identifier="${id}" version="1.0" xmlns="${schema}" xmlns:adlcp="${adl}" ${XSI} xsi:schemaLocation="${schema} ${scheme} ${adl} ${other}">`,
    `<metadata><schema>ADL SCORM</schema><schemaversion>${edition}</schemaversion></metadata>`,
    '<organizations default="organization">',
    `<organization identifier="organization"><title>${escaped(title)}</title>`,
    `<item identifier="item" identifierref="resource"><title>${escaped(title)}</title></item>`,
    '</organization>',
    '</organizations>',
    '<resources>',
    `<resource identifier="resource" type="webcontent" adlcp:${type}="sco" href="index.html"><file href="index.html"/></resource>`,
    '</resources>',
    '</manifest>',
    '',
  ].join('\n');
}

/** @param {unknown} value */
const json = (value) => JSON.stringify(value, jsonValue);

/** @type {import('./page.js').Writer} */
export async function write(_, problems, { lang }, { title, format, attempts }) {
  /* Only this format needs it, and it is larger than all the rest. */
  const { packed } = await import('../../../generated/assignment.js');
  const { packed: core } = await import('../../../generated/simd.js');
  const page = (await inflated(packed)).replace(NO_CORE, () => `\`${core.base64}\``);
  const standard = /** @type {keyof typeof VERSIONS} */ (format);
  /* Without what the page computes itself. A seed would open the same numbers in the playground: another one names them. */
  const asked = problems.map(({ solution, misconceptions, ...problem }) => ({
    ...problem,
    seed: Number.parseInt(digest(json(problem)), 16),
  }));
  const id = `glassformer-${digest(json([lang, asked]))}`;
  const content = json({ id, title, lang, standard, problems: asked, attempts });
  return [
    { path: 'imsmanifest.xml', text: manifest(standard, id, title) },
    {
      path: 'index.html',
      text: page
        .replace('<html lang="en">', `<html lang="${lang}">`)
        .replace(/(?<=<title>)[^<]*/, () => escaped(title))
        .replace('"the package"', () => JSON.stringify(masked(content))),
    },
  ];
}
