import { Center } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';

/** Text as a QR code: dark on light in every display mode, with the margin that readers need. */
export function QrCode(props: { text: string; label: string }) {
  return (
    <Center>
      <QRCodeSVG
        value={props.text}
        size={208}
        marginSize={4}
        level="M"
        bgColor="#ffffff"
        fgColor="#000000"
        title={props.label}
        role="img"
      />
    </Center>
  );
}
