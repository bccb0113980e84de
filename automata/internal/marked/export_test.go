package marked

// FewNodes has the decision diagrams of labels and signatures have so many nodes at most. It lasts until the function
// that it returns is called.
func FewNodes(most int) (reset func()) {
	labels, signatures := reducibleNodes, signatureNodes
	reducibleNodes, signatureNodes = most, most
	return func() { reducibleNodes, signatureNodes = labels, signatures }
}
