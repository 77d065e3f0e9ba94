export { ApprovedText } from './approved-text.tsx';
export { LanguageTexts } from './language-texts.tsx';
export { TemplateGallery, type TextsOfTemplate, takeTemplate } from './template-gallery.tsx';
