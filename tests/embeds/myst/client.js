// What a theme of MyST does with the directive: its own component shows the node that MyST wrote.
import { ANY_RENDERERS } from '@myst-theme/anywidget';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const { mdast } = await (await fetch('content/course.json')).json();
const node = mdast.children[0].children.find(({ type }) => type === 'anywidget');
const root = createRoot(document.getElementById('root'));
root.render(createElement(ANY_RENDERERS[node.type], { node }));
globalThis.leave = () => root.unmount();
