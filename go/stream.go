package cowrie

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

const frameMaxBytes = 16 << 20

// Stream reads the frames of an answer as they arrive:
//
//	for stream.Next() { use(stream.Frame()) }
//	if err := stream.Err(); err != nil { … }
//
// Nothing is sent before the first Next. Close it if you stop before the end.
type Stream[T any] struct {
	open   func() (*http.Response, context.CancelFunc, error)
	ctx    context.Context
	cancel context.CancelFunc
	body   io.ReadCloser
	lines  *bufio.Reader
	frame  T
	err    error
	isDone bool
	// A broken stream is silent: not even keep-alives come.
	silence time.Duration
	timer   *time.Timer
	key     string
}

func openStream[T any](ctx context.Context, c *Client, operation call, options []Option) *Stream[T] {
	s := c.settings(operation, options)
	stream := &Stream[T]{ctx: ctx, silence: c.StreamSilence, key: s.idempotencyKey}
	stream.open = func() (*http.Response, context.CancelFunc, error) {
		address, body, err := c.prepare(operation)
		if err != nil {
			return nil, nil, err
		}
		opening, cancel := context.WithCancel(ctx)
		// The time limit ends with the start of the stream.
		limit := time.AfterFunc(s.timeout, cancel)
		response, err := c.start(opening, operation.method, address, body, "text/event-stream", s)
		if err == nil {
			if err = errorOf(response); err != nil {
				response.Body.Close()
			}
		}
		if !limit.Stop() && err != nil && ctx.Err() == nil {
			err = &Error{Code: "timeout", Message: "The service sent no answer in time.", cause: err}
		}
		if err != nil {
			cancel()
			return nil, nil, err
		}
		return response, cancel, nil
	}
	return stream
}

// Next reads the next frame. It returns false at the end and after an error.
func (s *Stream[T]) Next() bool {
	if s.isDone {
		return false
	}
	if s.body == nil && !s.begin() {
		return false
	}
	data, err := s.readFrame()
	if err == nil {
		if failure := errorFromBody([]byte(data), 0); failure != nil {
			err = failure
		}
	}
	if err == nil {
		var frame T
		if json.Unmarshal([]byte(data), &frame) == nil {
			s.frame = frame
			return true
		}
		err = &Error{Status: 200, Code: "malformed_reply", Message: "A frame has another shape."}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return s.fail(networkError(s.ctx, err, "stream_cut"))
}

// Frame is the frame that Next has read.
func (s *Stream[T]) Frame() T { return s.frame }

// Err is the error that ended the stream; nil at its regular end.
func (s *Stream[T]) Err() error { return s.err }

// Close ends the stream and releases its connection.
func (s *Stream[T]) Close() { s.fail(s.err) }

func (s *Stream[T]) begin() bool {
	response, cancel, err := s.open()
	if err != nil {
		return s.fail(networkError(s.ctx, err, "network_error"))
	}
	s.body, s.cancel = response.Body, cancel
	s.lines = bufio.NewReaderSize(response.Body, 64<<10)
	s.timer = time.AfterFunc(s.silence, cancel)
	if !strings.HasPrefix(strings.ToLower(response.Header.Get("Content-Type")), "text/event-stream") {
		return s.fail(unusable(response, "malformed_reply", "The answer is not a stream. Check the base URL."))
	}
	return true
}

func (s *Stream[T]) fail(err error) bool {
	var failure *Error
	if errors.As(err, &failure) {
		failure.IdempotencyKey = s.key
	}
	s.err, s.isDone = err, true
	if s.body != nil {
		s.timer.Stop()
		s.cancel()
		s.body.Close()
	}
	return false
}

// readFrame returns io.EOF at the end between two frames.
func (s *Stream[T]) readFrame() (string, error) {
	var data []string
	size := 0
	for {
		line, err := s.readLine()
		if err != nil {
			if errors.Is(err, io.EOF) && (len(data) > 0 || line != "") {
				return "", io.ErrUnexpectedEOF
			}
			return "", err
		}
		if line == "" && len(data) > 0 {
			return strings.Join(data, "\n"), nil
		}
		// Comments and the fields event, id and retry are not used.
		if strings.HasPrefix(line, "data:") {
			data = append(data, strings.TrimPrefix(line[len("data:"):], " "))
		}
		if size += len(line); size > frameMaxBytes {
			return "", &Error{Status: 200, Code: "reply_too_large", Message: "A frame of the stream is too large."}
		}
	}
}

func (s *Stream[T]) readLine() (string, error) {
	var line strings.Builder
	for {
		part, err := s.lines.ReadSlice('\n')
		s.timer.Reset(s.silence)
		line.Write(part)
		if errors.Is(err, bufio.ErrBufferFull) && line.Len() <= frameMaxBytes {
			continue
		}
		return strings.TrimRight(line.String(), "\r\n"), err
	}
}
