// The default theme of VitePress, with more contrast where it has too little, and figures below the page of the gallery.
import theme from 'vitepress/theme';
import { h } from 'vue';
import { Gallery } from './gallery.js';
import './site.css';

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'doc-after': () => h(Gallery) }),
};
