package access

import "github.com/routecard/routecard/shop"

// An account is a person's or a program's, and stays so: an administrator can make the tokens of a program, and could act
// as a person whom they had made one.

// checkKind judges a kind of account. A person's is kept as "".
func checkKind(in shop.TextInput) (shop.AccountKind, error) {
	kind, err := shop.RequiredText("kind", in)
	switch {
	case err != nil:
		return "", err
	case kind == string(shop.Program):
		return shop.Program, nil
	case kind == string(shop.Person):
		return "", nil
	}
	return "", shop.NotOneOf("kind", shop.AccountKinds())
}

// personOnly refuses to give a program anything but tokens.
func personOnly(user shop.User) error {
	if user.Kind == shop.Program {
		return shop.Refuse(reasonProgram)
	}
	return nil
}

// tokenMaker refuses a token of a person that somebody else would make.
func tokenMaker(user shop.User, own bool) error {
	if user.Kind != shop.Program && !own {
		return shop.Refuse(reasonOthersOwn)
	}
	return nil
}
