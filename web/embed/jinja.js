// What of @huggingface/jinja the package carries: glassformer/chat fills in chat templates with it.
export { Template } from '@huggingface/jinja';
