"""What programs and notebooks call: a function a command, each with its command's options.

All of it is to be had as ``streamgage.NAME``. The commands are built on it: they read the command
line, call the function of their name, and show what it returns.
"""
