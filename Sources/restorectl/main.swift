import JSONText
