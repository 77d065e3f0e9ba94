package heliograph

import (
	"bufio"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

const (
	// The platform sends a line every 15 seconds.
	silence = 45 * time.Second
	again   = 2 * time.Second
)

// Event is something that happened.
type Event struct {
	ID string `json:"id"`

	// Type names the kind of Data, such as `message.delivered`.
	Type string `json:"type"`

	Timestamp string `json:"timestamp"`

	// Data is to be decoded by the type, for example into MessageDeliveredCallbackData.
	Data json.RawMessage `json:"data"`
}

// StreamOptions says which events a stream has, and where it begins. Empty fields limit nothing.
type StreamOptions struct {
	// Cursor of the last event that was processed, or `now`; otherwise the stream begins with the oldest event.
	Cursor string

	// Time from which events are sent again, RFC 3339; up to 7 days ago.
	Since string

	// Types of events.
	Types []string

	// Part of the events, such as `2/4` for the second of four programs.
	Share string

	// Name under which the platform stores the place of this program.
	Group string
}

// StreamEvents calls `each` with every event as it happens and the cursor after it, until `each` returns an error or the
// context ends. A connection that breaks is made again after the last event, so that none is missed.
func (c *Client) StreamEvents(ctx context.Context, options StreamOptions, each func(cursor string, event Event) error) error {
	query := url.Values{}
	for name, value := range map[string]string{
		"cursor": options.Cursor, "since": options.Since, "types": strings.Join(options.Types, ","),
		"share": options.Share, "group": options.Group,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	last := ""
	for {
		err := c.follow(ctx, call{method: "GET", path: "/v1/events/stream", query: query, lastEvent: last},
			func(cursor string, event Event) error {
				last = cursor
				return each(cursor, event)
			})
		if err != nil {
			return err
		}
		if pause(ctx, again) != nil {
			return ctx.Err()
		}
	}
}

// follow reads one connection; nil means that it broke and may be made again.
func (c *Client) follow(ctx context.Context, made call, each func(string, Event) error) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	var scanner *bufio.Scanner
	err := c.tried(ctx, false, func() error {
		response, err := c.open(within, made)
		if err != nil {
			return err
		}
		scanner = bufio.NewScanner(response.Body)
		scanner.Buffer(make([]byte, 64<<10), 4<<20)
		return nil
	})
	if err != nil {
		return err
	}
	timer := time.AfterFunc(silence, cancel)
	defer timer.Stop()
	cursor, data := "", ""
	for scanner.Scan() {
		timer.Reset(silence)
		name, value, _ := strings.Cut(scanner.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "id":
			cursor = value
		case name == "data":
			data = value
		case name == "" && value == "" && data != "":
			var event Event
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				return err
			}
			data = ""
			if err := each(cursor, event); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
