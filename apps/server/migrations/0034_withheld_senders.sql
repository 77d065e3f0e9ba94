-- A withheld sender ID has no effect: its number or name is somebody else's. One that the platform saves has effect again.
ALTER TABLE sender_id ADD COLUMN withheld boolean NOT NULL DEFAULT false;

-- Form in which look-alike names are equal: without case, spacing, punctuation and accents, digits and letters of other
-- alphabets as the Latin letters that they resemble.
CREATE FUNCTION name_skeleton(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(regexp_replace(translate(
  regexp_replace(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "C"),
    '[Ææ]', 'ae', 'g'), '[Œœ]', 'oe', 'g'),
  '01!¡|i23456789@$€£¥§ßøØłŁđĐðÐıþÞħĦŧŦƒ'
    || 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχωγημπΣΔΛΓΠΘθΞΦφΩσ'
    || 'АВЕКМНОРСТУХЅІЈЬЗБГИПавекмнорстухѕіјьзбгипӏӀԁԀԛԚԝԜһҺшШ'
    || 'օոսհɑɡɩᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ',
  'olllllzeasgtbgasefysboollddddlpphhttf'
    || 'abezhlkmnoptyxabelkvoptuxwynmneaarnooeoooo'
    || 'abekmhopctyxsljbebrnnabekmhopctyxsljbebrnnllddqqwwhhww'
    || 'onuhaglabcdefghljklmnoprstuvwyz'),
  '[\u0001-\u0060\u007b-\u00bf\u02b0-\u02ff\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\ufeff]', '', 'g'),
  'rn', 'm'), 'vv', 'w');
CREATE INDEX sender_id_skeleton ON sender_id (name_skeleton(sender_id));
