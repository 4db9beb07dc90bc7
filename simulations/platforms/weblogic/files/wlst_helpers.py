"""The part of every WLST script that finds, reads and writes objects, in Jython 2.1."""

HELPERS = '''

def found(kinds, name, module):
    """The JMS module and the object of one of these kinds; a module without a name is whichever has the object."""
    if not name:
        raise Exception('its name is missing: fill in NAMES at the head')
    held = []
    for system in domain.getJMSSystemResources():
        if module in ('', system.getName()):
            for kind in kinds:
                item = getattr(system.getJMSResource(), 'lookup' + kind)(name)
                if item is not None:
                    held.append((system.getJMSResource(), item))
    if len(held) != 1:
        raise Exception('%d objects in JMS modules are a %s %s' % (len(held), kinds[0], name))
    return held[0]


def value_of(bean, attribute):
    """The value of an attribute; another object is told by its name."""
    if hasattr(bean, 'is' + attribute):
        return getattr(bean, 'is' + attribute)()
    value = getattr(bean, 'get' + attribute)()
    if hasattr(value, 'getName'):
        return value.getName()
    return value


class Value:
    """An attribute of a bean."""

    def read(self):
        return value_of(self.bean, self.attribute)

    def write(self, value):
        getattr(self.bean, 'set' + self.attribute)(value)

    def meant(self, value):
        return value


class ServerValue(Value):
    """An attribute of a server or of a part of it."""

    def __init__(self, name, parts, attribute):
        self.bean, self.attribute = domain.lookupServer(NAMES[name]), attribute
        if self.bean is None:
            raise Exception('the domain has no Server ' + NAMES[name])
        for part in parts:
            self.bean = getattr(self.bean, 'get' + part)()


class Messaging(Value):
    """An attribute of a part of a destination or connection factory."""

    def __init__(self, kinds, name, module, part, attribute):
        item = found(kinds, NAMES[name], NAMES[module])[1]
        self.bean, self.attribute, self.module = getattr(item, 'get' + part)(), attribute, NAMES[module]

    def meant(self, value):
        if self.attribute != 'ErrorDestination' or value is None:
            return value
        return found(KINDS, value, self.module)[1]


class Quota(Value):
    """An attribute of a destination's quota, or without one whether it limits something; ``own``: one to be made."""

    def __init__(self, kinds, name, module, own, attribute):
        self.name, self.attribute, self.own = NAMES[name], attribute, None
        if own:
            self.own = NAMES[own] or self.name + '-quota'
        self.module, self.item = found(kinds, self.name, NAMES[module])
        quota = self.item.getQuota()
        for kind in KINDS:
            for other in getattr(self.module, 'get' + kind + 's')():
                if quota is None or other.getQuota() is None or other.getName() == self.name:
                    continue
                if other.getQuota().getName() == quota.getName():
                    raise Exception('the quota %s is also that of %s' % (quota.getName(), other.getName()))

    def read(self):
        quota = self.item.getQuota()
        if quota is None:
            return None
        if self.attribute:
            return value_of(quota, self.attribute)
        if same(quota.getMessagesMaximum(), NO_LIMIT) and same(quota.getBytesMaximum(), NO_LIMIT):
            return None
        return 'limits'

    def write(self, value):
        quota = self.item.getQuota()
        if self.attribute:
            if quota is None:
                own = self.own or self.name + '-quota'
                quota = self.module.lookupQuota(own) or self.module.createQuota(own)
                self.item.setQuota(quota)
            getattr(quota, 'set' + self.attribute)(value)
        elif quota is not None and quota.getName() in (self.own, self.name + '-quota'):
            self.item.setQuota(None)
            self.module.destroyQuota(quota)
        elif quota is not None:
            quota.setMessagesMaximum(NO_LIMIT)
            quota.setBytesMaximum(NO_LIMIT)


class Tuned(Value):
    """An object of the domain's self-tuning, or one of its attributes."""

    def __init__(self, kind, name, target, attribute):
        self.kind, self.name, self.target, self.attribute = kind, name, target, attribute

    def bean(self):
        return getattr(domain.getSelfTuning(), 'lookup' + self.kind)(self.name)

    def read(self):
        bean = self.bean()
        if bean is None:
            return None
        return value_of(bean, self.attribute or 'Name')

    def meant(self, value):
        if not self.attribute and value:
            target = domain.lookupCluster(NAMES[self.target]) or domain.lookupServer(NAMES[self.target])
            if target is None:
                raise Exception('the domain has no Server or Cluster ' + NAMES[self.target])
            return target
        if value is None or self.attribute not in REFERENCES:
            return value
        bean = getattr(domain.getSelfTuning(), 'lookup' + self.attribute)(value)
        if bean is None and not [1 for step in STEPS if step[2][:2] == (self.attribute, value) and step[4]]:
            raise Exception('the domain has no %s %s' % (self.attribute, value))
        return bean

    def write(self, value):
        bean = self.bean()
        if self.attribute:
            getattr(bean, 'set' + self.attribute)(value)
        elif value is None:
            getattr(domain.getSelfTuning(), 'destroy' + self.kind)(bean)
        elif bean is None:
            getattr(domain.getSelfTuning(), 'create' + self.kind)(self.name).addTarget(value)


def ready():
    if getConfigManager().getCurrentEditor() is not None:
        raise Exception('somebody is editing the domain: %s' % (getConfigManager().getCurrentEditor(),))
    if len(getConfigManager().getUnactivatedChanges()):
        raise Exception('changes of somebody else wait to be activated')


def begin():
    startEdit(0, -1, 'true')


def commit():
    save()
    activate()


def cancel():
    if getConfigManager().isEditor():
        try:
            undo('true', 'y')
        finally:
            cancelEdit('y')


def leave(code):
    exit('y', code)


BY_HAND = "Enter: edit(); undo('true', 'y'); cancelEdit('y')"
DONE = 'Some of them count after a restart only: see isRestartRequired().'
NO_LIMIT = 9223372036854775807
KINDS = ('Queue', 'Topic', 'UniformDistributedQueue', 'UniformDistributedTopic')
connect()
edit()
domain = cmo
REFERENCES = (
    'MinThreadsConstraint',
    'MaxThreadsConstraint',
    'Capacity',
    'FairShareRequestClass',
    'ResponseTimeRequestClass',
)
'''
