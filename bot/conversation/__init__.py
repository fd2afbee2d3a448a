"""What people say to the bot on a pull request, and what it answers: commands, waivers, the one comment of its own."""
