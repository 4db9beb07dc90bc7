"""The part of every wsadmin script that finds, reads and writes objects, in Jython 2.1."""

HELPERS = '''

def inside(item):
    """Whether a configuration id lies in the cell and node that the head names."""
    return item.find('cells/' + CELL) >= 0 and (not NODE or item.find('nodes/' + NODE + '/') >= 0)


def all_of(kind, scope, key, name):
    """The objects of this kind below the scope, of this name where one is given."""
    if scope:
        held = AdminConfig.list(kind, scope).splitlines()
    else:
        held = AdminConfig.list(kind).splitlines()
    held = [item for item in held if not name or AdminConfig.showAttribute(item, key) == name]
    if len(held) > 1:
        held = [item for item in held if inside(item)] or held
    return held


def only(kind, scope, name):
    """The one object of this kind below the scope."""
    held = all_of(kind, scope, 'name', name)
    if len(held) != 1:
        raise Exception('%d objects are a %s %s' % (len(held), kind, name))
    return held[0]


class Attribute:
    """An attribute of the server's object of a kind, of this name where one is given."""

    def __init__(self, server, kind, name, key):
        self.item, self.key = only(kind, only('Server', '', server), name), key

    def read(self):
        return AdminConfig.showAttribute(self.item, self.key)

    def write(self, value):
        AdminConfig.modify(self.item, [[self.key, value]])

    def meant(self, value):
        return value


class Child(Attribute):
    """An attribute of an object below one of the server's; it is made where there is none."""

    def __init__(self, server, parent, named, kind, identity, key, slot):
        self.parent = only(parent, only('Server', '', server), named)
        self.kind, self.identity, self.key, self.slot = kind, list(identity), key, slot
        self.find()

    def find(self):
        held = all_of(self.kind, self.parent, (self.identity or [''])[0], (self.identity or ['', ''])[1])
        if len(held) > 1:
            raise Exception('%d objects are a %s %s' % (len(held), self.kind, self.identity))
        self.item = (held or [None])[0]

    def read(self):
        self.find()
        return self.item and Attribute.read(self)

    def write(self, value):
        self.find()
        if self.item:
            Attribute.write(self, value)
        else:
            pairs = [pair for pair in [self.identity, [self.key, value]] if pair]
            AdminConfig.create(*([self.kind, self.parent, pairs] + list(self.slot)))


class Spec(Attribute):
    """A value of an activation specification, wherever it is defined."""

    def __init__(self, provider, name, flag):
        self.provider, self.item, self.flag = provider, only('J2CActivationSpec', '', name), flag

    def read(self):
        shown = getattr(AdminTask, 'show' + self.provider + 'ActivationSpec')(self.item)
        held = re.search(r'[{,\\[ ]' + self.flag + r'[= ]([^,}\\]]*)', shown)
        return held and held.group(1)

    def write(self, value):
        words = ['-' + self.flag, value]
        if self.flag.startswith('MaxInFlight'):
            words = ['-customProperties', '[[%s %s]]' % (self.flag, value)]
        getattr(AdminTask, 'modify' + self.provider + 'ActivationSpec')(self.item, words)


class NewSpec(Attribute):
    """The activation specification that takes the place of a listener port; its beans are bound to it by hand."""

    def __init__(self, server, name, flags, properties):
        self.scope, self.name, self.flags, self.properties = only('Server', '', server), name, flags, properties
        self.target = AdminConfig.showAttribute(only('ListenerPort', self.scope, name), 'destinationJNDIName')

    def read(self):
        if all_of('J2CActivationSpec', self.scope, 'name', self.name):
            return self.name
        return None

    def write(self, value):
        if not value:
            if self.read():
                AdminConfig.remove(only('J2CActivationSpec', self.scope, self.name))
            return
        words = ['-name', self.name, '-jndiName', 'eis/' + self.name, '-destinationJndiName', self.target]
        AdminTask.createWMQActivationSpec(self.scope, words + list(self.flags))
        for key, number in self.properties:
            Spec('WMQ', self.name, key).write(number)


def ready():
    if AdminConfig.hasChanges():
        raise Exception('this session holds changes that are not saved')


def begin():
    pass


def commit():
    AdminConfig.save()


def cancel():
    AdminConfig.reset()


def leave(code):
    sys.exit(code)


BY_HAND = 'Enter: AdminConfig.reset()'
DONE = 'They are in the master configuration: synchronize the nodes, then restart the servers.'
'''
