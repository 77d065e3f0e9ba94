export { ApprovedText } from './approved-text.tsx';
export { TemplateGallery, takeTemplate } from './template-gallery.tsx';
