export { TemplateGallery, takeTemplate } from './template-gallery.tsx';
export { TemplateSelect } from './template-select.tsx';
