// What a course has that is written in Docusaurus: pages of docs/ at the root, and the figures' elements.
export default {
  title: 'A course on attention',
  url: 'https://course.example',
  baseUrl: '/course/week-3/',
  onBrokenLinks: 'throw',
  favicon: 'data:,',
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/' }]],
  themes: ['@docusaurus/theme-classic'],
};
