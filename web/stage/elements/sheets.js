// The sheets for embedding and export, which figures in other pages do not have.
import './embed-sheet.js';
import './export-sheet.js';
