export { TemplateGallery, takeTemplate } from './template-gallery.tsx';
