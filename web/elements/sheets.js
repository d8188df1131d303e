// What takes a view away from the page: into a course page, a file, a program. Figures have none of it.
import './embed-sheet.js';
import './export-sheet.js';
