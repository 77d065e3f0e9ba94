import i18next from 'i18next';

/** A role's name for a person: the program's own are translated. */
export const roleName = (name: string): string => i18next.t(`roles.${name}`, { defaultValue: name });
