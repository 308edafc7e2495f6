"""The messages between clients and server, version 1: one union a direction.

publishing   publisher to server
answering    server to publisher
viewing      server to viewer
asking       viewer to server
auth         who speaks: the first message of a peer that could send no header
message      what all share

docs/protocol.md says when each is sent. Times are seconds.
"""
