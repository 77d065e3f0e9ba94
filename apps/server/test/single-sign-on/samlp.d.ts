declare module 'samlp' {
  /** Options of the independent provider, as far as the tests use them. */
  interface Options {
    issuer: string;
    cert: string;
    key: string;
    audience?: string;
    recipient?: string;
    destination?: string;
    inResponseTo?: string;
    signResponse?: boolean;
    signAssertion?: boolean;
    signatureAlgorithm?: string;
    digestAlgorithm?: string;
    lifetimeInSeconds?: number;
    sessionIndex?: string;
    nameIdentifierFormat?: string;
    encryptionCert?: string;
    encryptionPublicKey?: string;
    profileMapper?: (user: object) => {
      getClaims(): Record<string, unknown>;
      getNameIdentifier(): { nameIdentifier: string };
    };
  }
  interface Request {
    id?: string;
    issuer?: string;
    assertionConsumerServiceURL?: string;
    destination?: string;
  }
  const samlp: {
    parseRequest(
      request: { method: string; query: Record<string, string> },
      options: object,
      done: (error: Error | null, found?: Request) => void,
    ): void;
    getSamlResponse(options: Options, user: object, done: (error: Error | null, xml?: string) => void): void;
    metadata(options: object): (request: object, response: object) => void;
  };
  export default samlp;
}
