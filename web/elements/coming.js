// The geometric view, which comes when it is first asked for.
export const geometry = () => import('./geometry.js');
