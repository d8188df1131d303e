// What a framework such as Docusaurus ships to the browser: the elements, and the page that the server rendered.
import 'glassformer/element';
import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import Course from './course.mdx';

hydrateRoot(document.getElementById('root'), createElement(Course), {
  onRecoverableError: (error) => console.error(`hydration: ${error}`),
});
