package heliograph

import (
	"encoding/json"
	"fmt"
	"time"
)

// APIError is an error that the API answered. Its text is a sentence for people.
type APIError struct {
	// HTTP status.
	Status int

	// Code for programs; empty if a proxy answered instead of the API.
	Code string

	// Sentences by field, such as `recipients.3.to`.
	Errors map[string][]string

	// ID of the call, to name in a support request.
	RequestID string

	// Whole body of the answer, as RFC 9457 defines it.
	Problem Problem

	// Time to wait, if the answer named one; otherwise negative.
	RetryAfter time.Duration
}

func (e *APIError) Error() string {
	if e.Problem.Message != "" {
		return e.Problem.Message
	}
	return fmt.Sprintf("The API answered %d.", e.Status)
}

func newAPIError(status int, content []byte, retryAfter time.Duration) *APIError {
	var problem Problem
	if json.Unmarshal(content, &problem) != nil {
		problem = Problem{}
	}
	return &APIError{
		Status: status, Code: problem.Code, Errors: problem.Errors, RequestID: problem.RequestID, Problem: problem,
		RetryAfter: retryAfter,
	}
}

// ConnectionError says that no answer came: it is unknown whether the request was processed.
type ConnectionError struct {
	// Timeout is true if the answer took too long.
	Timeout bool

	host  string
	cause error
}

func (e *ConnectionError) Error() string {
	if e.Timeout {
		return e.host + " did not answer in time."
	}
	return fmt.Sprintf("%s could not be reached: %v.", e.host, e.cause)
}

// Unwrap returns the error of the network.
func (e *ConnectionError) Unwrap() error { return e.cause }
