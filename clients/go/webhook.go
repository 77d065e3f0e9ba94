package heliograph

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Callback is an event that the platform sent, with a valid signature.
type Callback struct {
	// ID is the same at every try: ignore one that you have processed.
	ID string

	Type string

	Timestamp string

	// Data is to be decoded by the type.
	Data json.RawMessage
}

const tolerance = 5 * time.Minute

// VerifyWebhook checks a callback by Standard Webhooks 1.0. `payload` is the body exactly as it arrived. `secrets` are the
// valid ones: one, or two while the secret changes. Answer 400 if it returns an error.
func VerifyWebhook(payload []byte, header http.Header, secrets ...string) (*Callback, error) {
	id, stamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	for name, value := range map[string]string{
		"webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": signatures,
	} {
		if value == "" {
			return nil, errors.New("the header " + name + " is missing")
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || seconds < 0 || len(stamp) > 12 {
		return nil, errors.New("the header webhook-timestamp is not a number of seconds")
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return nil, errors.New("the callback is too old, or the clock of this computer is wrong")
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 || !strings.HasPrefix(secret, "whsec_") {
			return nil, errors.New("the secret must be as the console showed it; it begins with whsec_")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + stamp + "."))
		mac.Write(payload)
		wanted := mac.Sum(nil)
		for _, each := range strings.Fields(signatures) {
			given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(each, "v1,"))
			if err == nil && strings.HasPrefix(each, "v1,") && hmac.Equal(given, wanted) {
				callback := Callback{ID: id}
				if err := json.Unmarshal(payload, &callback); err != nil {
					return nil, err
				}
				return &callback, nil
			}
		}
	}
	return nil, errors.New("no signature of the callback matches any of the secrets")
}
