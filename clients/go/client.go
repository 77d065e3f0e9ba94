// Package heliograph is a client of the API of a Heliograph platform. Every call tries again by itself if that is safe and
// can help.
package heliograph

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second
	// A longer Retry-After makes the call fail immediately.
	longestRetryAfter = 120 * time.Second
)

// Client calls the API of one platform with one key. It may be used by several goroutines.
type Client struct {
	// Timeout is the longest wait for one answer.
	Timeout time.Duration

	// Retries is the most tries after the first.
	Retries int

	url  string
	key  string
	http *http.Client
}

// New returns a client for the platform at an address such as https://sms.example.com, with an API key of the console.
func New(address, key string) (*Client, error) {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") {
		return nil, fmt.Errorf("the address must be like https://sms.example.com, not %q", address)
	}
	if key == "" {
		return nil, errors.New("the key is missing: create one in the console, under API keys")
	}
	return &Client{
		Timeout: 30 * time.Second,
		Retries: 4,
		url:     strings.TrimRight(address, "/"),
		key:     key,
		// A key is for one host only, so redirects are refused.
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// Ptr returns a pointer to a value, for fields that may be left out.
func Ptr[T any](value T) *T { return &value }

// SendOption changes how a message is sent.
type SendOption struct{ key string }

// IdempotencyKey names a request, so that the same request after a restart of your program does nothing twice.
func IdempotencyKey(key string) SendOption { return SendOption{key} }

// keyOf returns the key of a request, the same for all its tries.
func keyOf(options []SendOption) string {
	for _, option := range options {
		if option.key != "" {
			return option.key
		}
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x", random)
}

type call struct {
	method, path string
	query        url.Values
	body         any
	key          string
	lastEvent    string
	// once is true for a call that could do something twice if it were made again after an answer was lost.
	once bool
}

// add adds a value to a query, if there is one.
func add(values url.Values, name string, value any) {
	switch given := value.(type) {
	case *string:
		if given != nil {
			values.Set(name, *given)
		}
	case string:
		values.Set(name, given)
	case *int64:
		if given != nil {
			values.Set(name, strconv.FormatInt(*given, 10))
		}
	case *bool:
		if given != nil {
			values.Set(name, strconv.FormatBool(*given))
		}
	}
}

func (c *Client) json(ctx context.Context, made call, answer any) error {
	content, err := c.bytes(ctx, made)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, answer)
}

func (c *Client) bytes(ctx context.Context, made call) ([]byte, error) {
	var content []byte
	err := c.tried(ctx, made.once, func() error {
		within, cancel := context.WithTimeout(ctx, c.Timeout)
		defer cancel()
		response, err := c.open(within, made)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		content, err = io.ReadAll(response.Body)
		if err != nil {
			return c.failed(err)
		}
		return nil
	})
	return content, err
}

// tried runs a call until it succeeds or no further try can help.
func (c *Client) tried(ctx context.Context, single bool, once func() error) error {
	for tries := 0; ; tries++ {
		err := once()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		wait, helps := waitOf(err, tries, single)
		if !helps || tries >= c.Retries {
			return err
		}
		if pause(ctx, wait) != nil {
			return ctx.Err()
		}
	}
}

func (c *Client) open(ctx context.Context, made call) (*http.Response, error) {
	address := c.url + made.path
	if len(made.query) > 0 {
		address += "?" + made.query.Encode()
	}
	var body io.Reader
	if made.body != nil {
		content, err := json.Marshal(made.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(content)
	}
	request, err := http.NewRequestWithContext(ctx, made.method, address, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("User-Agent", "heliograph-go/"+Version)
	if made.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if made.key != "" {
		request.Header.Set("Idempotency-Key", made.key)
	}
	if made.lastEvent != "" {
		request.Header.Set("Last-Event-ID", made.lastEvent)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.failed(err)
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, c.failed(err)
	}
	return nil, newAPIError(response.StatusCode, content, retryAfter(response.Header.Get("Retry-After")))
}

func (c *Client) failed(err error) error {
	var network net.Error
	timeout := errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &network) && network.Timeout())
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	host := c.url[strings.Index(c.url, "//")+2:]
	return &ConnectionError{Timeout: timeout, host: host, cause: err}
}

// retryAfter reads a Retry-After header, which holds seconds or a date; negative if there is none.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		if wait := time.Until(at); wait > 0 {
			return wait
		}
		return 0
	}
	return -1
}

// waitOf returns the time before another try, and whether one can help and does nothing twice.
func waitOf(err error, tries int, single bool) (time.Duration, bool) {
	wait := firstWait << tries
	if wait > longestWait {
		wait = longestWait
	}
	wait = time.Duration(float64(wait) * (0.5 + mathrand.Float64()/2))
	var refused *APIError
	var lost *ConnectionError
	switch {
	case errors.As(err, &lost):
		return wait, !single
	case !errors.As(err, &refused):
		return 0, false
	case single && refused.Status != 429:
		return 0, false
	case refused.Status != 429 && refused.Status < 500 && refused.Code != "idempotency_in_flight":
		return 0, false
	case refused.RetryAfter > longestRetryAfter:
		return 0, false
	case refused.RetryAfter > wait:
		return refused.RetryAfter, true
	}
	return wait, true
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
