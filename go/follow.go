package cowrie

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A stream that ends earlier without frames counts as a failure. The service ends a stream after 30 minutes.
const workingStream = 5 * time.Second
const patience = 10 * time.Minute
const outputMax = 1_000_000

// FollowTask calls each with every event of a task once, over any number of connections and restarts of the service. It ends
// after the turn, or with an empty turnID when each returns an error or the context ends.
func (c *Client) FollowTask(ctx context.Context, id, turnID string, after int64, each func(TaskEvent) error) error {
	last := int64(-1)
	if turnID != "" {
		task, err := patiently(ctx, func() (*Task, error) { return c.Tasks.Get(ctx, id, nil) })
		if err != nil {
			return err
		}
		turn := turnOf(task, turnID)
		if turn == nil {
			return fmt.Errorf("the task %s has no turn %s", id, turnID)
		}
		// The end of the turn may be an event that the caller has already.
		if turn.FinishedAt != nil {
			last = task.LastSeq
		}
		if last >= 0 && after >= last {
			return nil
		}
	}
	failures, lastFrame := 0, time.Now()
	for {
		failures++
		opened := time.Now()
		stream := c.Tasks.Stream(ctx, id, &TasksStreamQuery{After: Ptr(after)})
		for stream.Next() {
			event := stream.Frame()
			failures, lastFrame = 0, time.Now()
			if event.Seq <= after {
				continue
			}
			after = event.Seq
			if err := each(event); err != nil {
				stream.Close()
				return err
			}
			isEnd := turnID != "" && event.Kind == "status" && event.Status != nil && *event.Status == "finished" &&
				event.TurnID != nil && *event.TurnID == turnID
			if isEnd || (last >= 0 && after >= last) {
				stream.Close()
				return nil
			}
			lastFrame = time.Now()
		}
		stream.Close()
		failure := stream.Err()
		if failure == nil {
			failure = &Error{Code: "stream_cut", Message: "The stream ended before its last frame."}
			// A task may be silent for hours: a long stream without frames shows that the service works.
			if time.Since(opened) > workingStream {
				failures, lastFrame = 0, time.Now()
			}
		}
		if err := retryPause(ctx, failure, failures, lastFrame); err != nil {
			return err
		}
	}
}

// ToolCall is a call of the model that your program runs.
type ToolCall struct {
	// CallID is the same if a call is run again after a crash.
	CallID string
	Tool   string
	Input  json.RawMessage
}

// ToolOutcome is the result of a call.
type ToolOutcome struct {
	Output string
	// Changes are the changed files with a unified diff each, so that other devices can show them.
	Changes []TaskToolResultsResultChange
}

// RunClientTools answers the tool calls of a turn until it ends, and returns the turn. An error of handle becomes the result of
// the call. After an error of this method, call it again: open calls are run, answered ones are not. With a nil handle it waits.
func (c *Client) RunClientTools(ctx context.Context, id, turnID string, handle func(context.Context, ToolCall) (ToolOutcome, error)) (*TaskTurn, error) {
	read := func() (*Task, error) {
		return patiently(ctx, func() (*Task, error) { return c.Tasks.Get(ctx, id, nil) })
	}
	task, err := read()
	if err != nil {
		return nil, err
	}
	if turnID == "" && len(task.Turns) > 0 {
		turnID = task.Turns[len(task.Turns)-1].ID
	}
	turn := turnOf(task, turnID)
	if turn == nil {
		return nil, errors.New("start a turn first")
	}
	answered := map[string]bool{}
	answer := func(need ToolCall, isOmitted bool) error {
		if handle == nil || answered[need.CallID] {
			return nil
		}
		answered[need.CallID] = true
		if isOmitted {
			whole, err := patiently(ctx, func() (*TasksToolOutputReply, error) { return c.Tasks.ToolOutput(ctx, id, need.CallID) })
			if err != nil {
				return err
			}
			need.Input = whole.Input
		}
		result := resultOf(ctx, need, handle)
		// A call takes one result: a repeated one is ignored.
		_, err := patiently(ctx, func() (*TasksToolResultsReply, error) {
			return c.Tasks.ToolResults(ctx, id, TaskToolResults{Results: []TaskToolResultsResult{result}})
		})
		return err
	}
	if turn.FinishedAt == nil {
		for _, need := range task.Needs {
			if need.Kind == "tool" && need.TurnID == turnID {
				if err := answer(ToolCall{need.CallID, need.Tool, need.Input}, false); err != nil {
					return nil, err
				}
			}
		}
		err := c.FollowTask(ctx, id, turnID, task.LastSeq, func(event TaskEvent) error {
			if event.Kind != "needs_tool" || event.CallID == nil || event.Tool == nil {
				return nil
			}
			return answer(ToolCall{*event.CallID, *event.Tool, event.Input}, isTrue(event.IsInputOmitted))
		})
		if err != nil {
			return nil, err
		}
	}
	if task, err = read(); err != nil {
		return nil, err
	}
	return turnOf(task, turnID), nil
}

// WaitForTurn returns the turn when it has ended; with an empty turnID the last one of the task. Its StopReason says why.
func (c *Client) WaitForTurn(ctx context.Context, id, turnID string) (*TaskTurn, error) {
	return c.RunClientTools(ctx, id, turnID, nil)
}

func isTrue(value *bool) bool { return value != nil && *value }

func turnOf(task *Task, id string) *TaskTurn {
	for i := range task.Turns {
		if task.Turns[i].ID == id {
			return &task.Turns[i]
		}
	}
	return nil
}

func resultOf(ctx context.Context, need ToolCall, handle func(context.Context, ToolCall) (ToolOutcome, error)) TaskToolResultsResult {
	outcome, err := handle(ctx, need)
	if err != nil {
		outcome = ToolOutcome{Output: err.Error()}
	}
	if len(outcome.Output) > outputMax {
		outcome.Output = outcome.Output[:outputMax-100] + "\n… the rest of the output is left out"
	}
	return TaskToolResultsResult{CallID: need.CallID, Ok: err == nil, Output: Ptr(outcome.Output), Changes: outcome.Changes}
}

// patiently repeats a call that is safe to repeat while its failures can pass.
func patiently[T any](ctx context.Context, call func() (*T, error)) (*T, error) {
	since := time.Now()
	for attempt := 1; ; attempt++ {
		value, err := call()
		if err == nil {
			return value, nil
		}
		if err := retryPause(ctx, err, attempt, since); err != nil {
			return nil, err
		}
	}
}

func retryPause(ctx context.Context, err error, attempt int, since time.Time) error {
	var failure *Error
	if !errors.As(err, &failure) || !failure.IsRetryable() {
		return err
	}
	if attempt < 1 {
		attempt = 1
	}
	wait := pauseAfter(failure, attempt)
	if time.Since(since)+wait > patience {
		return err
	}
	return pause(ctx, wait)
}
