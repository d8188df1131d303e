// In place of what figures do without: the sheets of the page, and plots.
export {};
