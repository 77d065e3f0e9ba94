export { ApprovedText } from './approved-text.tsx';
export { LanguageTexts } from './language-texts.tsx';
export { TemplateGallery, takeTemplate } from './template-gallery.tsx';
