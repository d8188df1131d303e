// What a theme of MyST does with its directives: its own component shows each node that MyST wrote.
import { ANY_RENDERERS } from '@myst-theme/anywidget';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const { mdast } = await (await fetch('content/course.json')).json();
const nodes = mdast.children[0].children.filter(({ type }) => type === 'anywidget');
const root = createRoot(document.getElementById('root'));
root.render(nodes.map((node) => createElement(ANY_RENDERERS[node.type], { key: node.key, node })));
globalThis.leave = () => root.unmount();
