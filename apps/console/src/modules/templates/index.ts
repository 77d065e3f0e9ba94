export { TemplateSelect } from './template-select.tsx';
