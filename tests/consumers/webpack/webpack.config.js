export default {
  mode: 'production',
  entry: { main: './main.js', external: './external.js' },
};
