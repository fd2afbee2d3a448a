"""The durable work: announce and check a pull request, follow the installation, sweep up what was missed."""
