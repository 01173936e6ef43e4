package app

import (
	"example.com/raft"
)

func Finish(log *raft.Log) {
	log.Commit()
}
