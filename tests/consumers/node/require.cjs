const glassformer = require('glassformer');
const { golden } = require('../golden.js');
const { tell } = require('../tell.js');

tell('require', golden(glassformer));
