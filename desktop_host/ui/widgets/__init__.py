"""What windows and pages are made of: labels that show text honestly, the schema form, views of JSON and results."""
