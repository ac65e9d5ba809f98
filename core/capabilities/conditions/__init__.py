"""What is done when something comes true."""
